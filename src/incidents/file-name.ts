/** "incident-2026-11-20-db-1-is-down.md": the day, and those characters of the title that every file system accepts. */
export function fileName(title: string, opened: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `incident-${[opened.slice(0, 10), words].filter((part) => part !== '').join('-')}.md`;
}

/** A problem that prevents the start: the variable or place, the rule, and where to get the value. Never the value. */
export interface ConfigProblem {
  what: string;
  rule: string;
  where: string;
}

/** The text for standard error: a headline, then every problem with its rule and the source of its value. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  const headline = `panelops cannot run: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`} in its configuration.`;
  const paragraphs = problems.map(({ what, rule, where }) => `  ${what}\n    ${rule}\n    ${where}`);
  return `${[headline, ...paragraphs].join('\n\n')}\n`;
}

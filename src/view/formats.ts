export const formats = ['jsonl', 'csv', 'md'] as const;

export type Format = (typeof formats)[number];

/** The forms in which a record is written. */
export const formats = ['jsonl', 'csv', 'md'] as const;

export type Format = (typeof formats)[number];

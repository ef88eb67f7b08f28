/** An HTTP answer. `text` is the whole body; `body` its JSON value, or undefined. */
export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  body?: unknown;
}

/** What an answer says about the token. Without an answer, `status` is undefined. */
export interface TokenAnswer {
  status?: number | undefined;
  headers?: Reply['headers'];
  body?: unknown;
}

/** The site of the account, for Jira and Confluence. */
export const cloudId = '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c'

/** The words between quotes of a condition with `~`, of Atlassian's query languages. */
export const parseSearchWords = (query: string | null) =>
  (/~ "((?:[^"\\]|\\.)*)"/.exec(query ?? '')?.[1] ?? '').replace(/\\(.)/g, '$1')

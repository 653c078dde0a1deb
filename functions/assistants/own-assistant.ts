import type { AssistantHead } from './assistant-reader.ts'

/** Whether an assistant has a user's own words: they have published it, and written or saved its instructions. */
export const isOwnAssistant = (
  head: Pick<AssistantHead, 'publisher' | 'copied_from'>,
  sub: string,
): boolean => head.publisher === sub && head.copied_from === undefined

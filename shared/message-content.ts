/** CHAT-49: appended, and stored, as the assistant's message after a stop. Never sent to the model. */
export const stoppedLine = 'Generation stopped by user.'

/** DEC-014: texts that start so are shown and saved, but name no conversation and count as no content. */
export function isInternal(content: string): boolean {
  return content.startsWith('__ASSISTANT_')
}

/** HIST-23: what makes a conversation worth listing, and what `message_count` counts (DEC-045). */
export function isRealContent(content: string): boolean {
  return content.trim() !== '' && !isInternal(content) && content !== stoppedLine
}

/** What is shown below a reply that the user stopped. Earlier releases stored it as a message of its own. Never sent to the model. */
export const stoppedLine = 'Generation stopped by user.'

/** Internal messages are shown and saved, but give no title and do not count as content. */
export function isInternal(content: string): boolean {
  return content.startsWith('__ASSISTANT_')
}

/** Whether a message makes a conversation appear in the list, and counts in `message_count`. */
export function countsAsMessage(content: string): boolean {
  return content.trim() !== '' && !isInternal(content) && content !== stoppedLine
}

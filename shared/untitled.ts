/** The title before a first message names the conversation. A module of its own: the first page needs no more of titles. */
export const untitled = 'New Chat'

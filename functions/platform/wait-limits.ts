/** How long a reply waits for the list of a server's tools: without and with an earlier list. */
export const listWaitMs = { first: 2_500, again: 800 }

/** Delays and sizes of the page alone. */

const MB = 1024 * 1024

/** Calls that do not stream give up after this time; those that need longer have a limit of their own. */
export const defaultTimeoutMs = 10_000
/** A call that deletes an account or all conversations: the server may use its full time, and several calls may be needed. */
export const erasureTimeoutMs = 60_000
/** A call that publishes, copies or withdraws an assistant: the service copies or deletes the texts of its files, and may use its full time. */
export const publishTimeoutMs = 40_000
/** Replies that took longer cause a notification, if notifications are on. */
export const longReplyMs = 8_000
/** Delays before the browser reconnects to a reply, the last one repeated. */
export const reconnectDelaysMs = [1_000, 2_000, 5_000, 10_000] as const
/** How long the chat shows an error. */
export const errorBlockMs = 5_000
/** How long a page whose session has ended stays before the sign-in page follows. */
export const authRedirectMs = 3_000
/** How long a toast offers to undo a deletion. */
export const undoMs = 7_000
/** How long a toast shows a text that is not stored anywhere else: long enough to copy it. */
export const lostTextMs = 30_000
/** How long a button shows that it has copied. */
export const copiedIndicatorMs = 2_000
/** How long lists count as fresh that seldom change and that many components show, such as projects and saved prompts. */
export const freshListMs = 60_000
/** How long catalogue and connections count as fresh: a day. */
export const registryRefreshMs = 86_400_000
/** Entries in one page of the catalogue. */
export const registryPageSize = 20
/** About what one request of an import sends. */
export const importRequestBytes = MB
/** The height of the composer's field without text. */
export const composerMinPx = 52
/** The height of the composer's field from which it scrolls. */
export const composerMaxPx = 120
/** The smaller copy of an image that a model gets. */
export const maxPreviewPx = 2_048
/** The browser scales a profile picture to this square and makes it fit. */
export const avatarPx = 512
/** The browser scales the picture of an assistant to this square; it is shown at 64 px and less. */
export const assistantPicturePx = 256
/** A picture with more pixels is not decoded: each pixel takes four bytes of memory. */
export const maxDecodedPixels = 100_000_000

// error-block
export const error = 'Error'
export const signInAgain = 'Sign in again'

// message-boundary
export const cannotBeShown = 'Something went wrong: this message cannot be shown.'
export const shownAsPlainText = 'Something went wrong: this message is shown as plain text.'

// message-list
export const pleaseContinue = 'Please continue.'
export const conversation = 'Conversation'
export const loadEarlier = 'Load earlier messages'
export const earlierMessages = 'Earlier messages'
export const summarisedAbove = 'The messages above no longer fit. The assistant works from a summary of them.'
export const leftOutAbove = 'The messages above no longer fit. The assistant no longer sees them.'

// message-row
export const sendWithoutFiles = 'Send without deleted files'
export const editMessage = 'Edit message'
export const copyMessage = 'Copy message'
export const notSaved = 'Not saved.'
export const noReply = 'No reply yet.'
export const copyReply = 'Copy reply'
export const regenerate = 'Regenerate'
export const incomplete = 'This reply is not complete.'
export const continueReply = 'Continue'
export const interrupted = 'This reply was interrupted.'
export const cutOff = 'The reply was cut off.'
export const showMore = 'Show more'
export const showLess = 'Show less'

// reply-menu
export const regenerateWith = 'Answer with another model'
export const noVision = 'Text only'
export const moreForReply = 'More for this reply'
export const continueInNewChat = 'Continue in a new chat'
export const notContinued = 'No new chat was made'
export const deleteMessage = 'Delete message and reply…'
export const deleteMessageTitle = 'Delete this message and its reply?'
export const deleteMessageHint =
  'Both are deleted for good, and their files unless something else uses them. Later messages and other versions stay. The assistant no longer sees what you delete.'
export const deleteMessageConfirm = 'Delete'

// reply-announcer
export const replyStarted = 'Reply started'
export const replyFinished = 'Reply finished'
export const answerNeeded = 'Your answer is needed'
export const toolWorking = 'A tool is still working'

// reply-row
export const tooManyTabs =
  'Replies are followed in too many tabs. This one appears when another tab is closed or its reply is complete.'
export const reconnecting = 'Connection lost. Reconnecting…'

// thinking-indicator
export const thinking = (assistantName: string) => `${assistantName} is thinking...`
export const analyzing = 'Analyzing document...'
export const analyzingDocument = (name: string) => (
  <>
    Reading and analyzing "<bdi>{name}</bdi>"...
  </>
)
export const progress = 'Progress'

// use-find-message
export const messageNotLoaded = 'The message could not be loaded'
export const messageNotFound = 'Message not found'
export const messageNotFoundHint = 'It was changed or deleted. This is the end of the conversation.'

// version-switcher
export const versionsWait = 'Wait for the reply, or stop it, to see other versions.'
export const versionNotShown = 'This version could not be shown'
export const versions = 'Versions of this message'
export const previousVersion = 'Previous version'
export const firstVersion = 'This is the first version.'
export const versionPosition = (version: number, count: number) => `${version} of ${count}`
export const nextVersion = 'Next version'
export const newestVersion = 'This is the newest version.'

// read-aloud-button
export const readAloud = 'Read aloud'
export const stopReading = 'Stop reading'

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

// error-block
export const error = t`Error`
export const signInAgain = t`Sign in again`

// message-boundary
export const cannotBeShown = t`Something went wrong: this message cannot be shown.`
export const shownAsPlainText = t`Something went wrong: this message is shown as plain text.`

// message-list
export const pleaseContinue = t`Please continue.`
export const conversation = t`Conversation`
export const loadEarlier = t`Load earlier messages`
export const earlierMessages = t`Earlier messages`
export const summarisedAbove = t`The messages above no longer fit. The assistant works from a summary of them.`
export const leftOutAbove = t`The messages above no longer fit. The assistant no longer sees them.`

// message-row
export const sendWithoutFiles = t`Send without deleted files`
export const editMessage = t`Edit message`
export const copyMessage = t`Copy message`
export const notSaved = t`Not saved.`
export const noReply = t`No reply yet.`
export const unanswered = t`Not answered.`
export const copyReply = t`Copy reply`
export const regenerate = t`Regenerate`
export const incomplete = t`This reply is not complete.`
export const stopped = t`Generation stopped by user.`
export const incompleteByLength = t`This reply is not complete: it reached its length limit.`
export const incompleteByTime = t`This reply is not complete: it took too long.`
export const incompleteByBudget = t`This reply is not complete: a usage limit was reached.`
export const incompleteByFilter = t`This reply is not complete: the model’s server withheld the rest.`
export const continueReply = t`Continue`
export const interrupted = t`This reply was interrupted.`
export const cutOff = t`The reply was cut off.`
export const showMore = t`Show more`
export const showLess = t`Show less`

// reply-menu
export const regenerateWith = t`Answer with another model`
export const noVision = t`Text only`
export const moreForReply = t`More for this reply`
export const continueInNewChat = t`Continue in a new chat`
export const copyReady = t`The new chat is ready`
export const notContinued = t`No new chat was made`
export const deleteMessage = t`Delete message and reply…`
export const deleteMessageTitle = t`Delete this message and its reply?`
export const deleteMessageHint = t`Both are deleted for good, and their files unless something else uses them. Later messages and other versions stay. The assistant no longer sees what you delete.`
export const deleteMessageConfirm = t`Delete`

// reply-announcer
export const replyStarted = t`Reply started`
export const replyFinished = t`Reply finished`
export const answerNeeded = t`Your answer is needed`
export const toolWorking = t`A tool is still working`

// reply-row
export const tooManyTabs = t`Replies are followed in too many tabs. This one appears when another tab is closed or its reply is complete.`
export const reconnecting = t`Connection lost. Reconnecting…`

// thinking-indicator
export const thinking = (assistantName: string) => t`${assistantName} is thinking...`
export const analyzing = t`Analyzing document...`
export const analyzingDocument = (name: string) => (
  <Trans>
    Reading and analyzing "<bdi>{name}</bdi>"...
  </Trans>
)
export const progress = t`Progress`

// use-find-message
export const messageNotLoaded = t`The message could not be loaded`
export const messageNotFound = t`Message not found`
export const messageNotFoundHint = t`It was changed or deleted. This is the end of the conversation.`

// version-switcher
export const versionsWait = t`Wait for the reply, or stop it, to see other versions.`
export const versionNotShown = t`This version could not be shown`
export const versions = t`Versions of this message`
export const previousVersion = t`Previous version`
export const firstVersion = t`This is the first version.`
export const versionPosition = (version: number, count: number) => t`${version} of ${count}`
export const nextVersion = t`Next version`
export const newestVersion = t`This is the newest version.`

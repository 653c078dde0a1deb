import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'

// conversation-view
export const missing = t`This conversation no longer exists.`
export const notLoaded = t`This conversation could not be loaded.`
export const yourMessage = t`Your message`
export const jumpToLatest = t`Jump to latest`
export const chatError = t`Chat Error`
export const notStopped = t`The reply could not be stopped. Please try again.`
export const temporaryChatNote = t`This chat is temporary. It is gone when you leave or reload the page. While a reply waits for you, the server stores what it needs to continue.`
export const loading = t`Loading the conversation`
export const conversation = t`Conversation`

// empty-state
export const promptHelp = t`What can you help me with?`
export const promptMails = t`Show my recent emails`
export const promptIntegrations = t`What integrations do I have?`
export const greeting = (assistantName: string) => t`Hi, I'm ${assistantName}`
export const abilities = (integrations: number | undefined) =>
  integrations
    ? plural(integrations, {
        one: 'Your AI assistant with # connected integration',
        other: `Your AI assistant with # connected integrations`,
      })
    : t`Your AI assistant with powerful capabilities`
export const startHint = t`Start by typing a message or choosing a quick action above`
export const connectHint = () => (
  <Trans>
    For mail, files and contacts,{' '}
    <Link to="/integrations" className="link">
      connect a tool
    </Link>
    .
  </Trans>
)

// temporary-switch
export const temporary = t`Temporary`
export const temporaryChat = t`Temporary chat`
export const notSaved = t`Not saved to your history`

// leave-chat-dialog
export const leaveTitle = t`Leave this temporary chat?`
export const leave = t`Leave`
export const stay = t`Stay`
export const leaveHint = t`It isn’t saved. If you leave, its messages are lost.`

// message-layout
export const you = t`You`

// message-editor
export const editLabel = t`Edit your message`
export const editHint = t`The current message and the replies after it stay available as an earlier version.`
export const send = t`Send`

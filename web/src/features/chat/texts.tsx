import { Link } from 'react-router'
import { plural } from '../../lib/plural.ts'

// conversation-view
export const missing = 'This conversation no longer exists.'
export const notLoaded = 'This conversation could not be loaded.'
export const yourMessage = 'Your message'
export const jumpToLatest = 'Jump to latest'
export const chatError = 'Chat Error'
export const notStopped = 'The reply could not be stopped. Please try again.'
export const temporaryChatNote = 'This chat is temporary. It is gone when you leave or reload the page.'
export const loading = 'Loading the conversation'
export const conversation = 'Conversation'

// empty-state
export const promptHelp = 'What can you help me with?'
export const promptMails = 'Show my recent emails'
export const promptIntegrations = 'What integrations do I have?'
export const greeting = (assistantName: string) => `Hi, I'm ${assistantName}`
export const abilities = (integrations: number | undefined) =>
  integrations
    ? plural(integrations, {
        one: 'Your AI assistant with 1 connected integration',
        other: `Your AI assistant with ${integrations} connected integrations`,
      })
    : 'Your AI assistant with powerful capabilities'
export const startHint = 'Start by typing a message or choosing a quick action above'
export const newChatKeys = (modifier: string) => `${modifier} Shift O starts a fresh chat, ? lists all keys`
export const connectHint = () => (
  <>
    For mail, files and contacts,{' '}
    <Link to="/integrations" className="link">
      connect a tool
    </Link>
    .
  </>
)
export const temporaryChat = 'Temporary chat'
export const notSaved = 'Not saved to your history'

// leave-chat-dialog
export const leaveTitle = 'Leave this temporary chat?'
export const leave = 'Leave'
export const stay = 'Stay'
export const leaveHint = 'It isn’t saved. If you leave, its messages are lost.'

// message-layout
export const you = 'You'

// message-editor
export const editLabel = 'Edit your message'
export const editHint = 'The current message and the replies after it stay available as an earlier version.'
export const send = 'Send'

import { createContext } from 'react'
import type { Conversation } from '../state/conversation.ts'

/** The conversation whose apps are shown. A tool that is turned off in it is off for its apps, too. */
export interface AppConversation {
  userId: string
  conversation: Pick<Conversation, 'id' | 'getState'>
  isTemporary: boolean
}

/** Undefined where no apps are shown. */
export const AppContext = createContext<AppConversation | undefined>(undefined)

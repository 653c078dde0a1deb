import { createContext } from 'react'
import type { Conversation } from '../state/conversation.ts'

/** The conversation whose apps are shown. The tools that are turned off in it are also off for the calls of its apps. */
export interface AppConversation {
  userId: string
  conversation: Pick<Conversation, 'id' | 'getState'>
  isTemporary: boolean
}

/** Without one no app is shown. */
export const AppContext = createContext<AppConversation | undefined>(undefined)

import { createContext, type ReactNode } from 'react'

export interface ReconnectProps {
  mcpId: string
  /** what people call the integration */
  name: string
  /** ISO 8601: a connection made after this is the one that was asked for */
  since: string
  /** an answer is on its way */
  busy: boolean
  /** the integration is connected again, by this button or anywhere else */
  onConnected: () => void
}

/** Draws the way to connect an integration again; the page that the chat stands in knows it. */
export const ReconnectContext = createContext<(props: ReconnectProps) => ReactNode>(() => null)

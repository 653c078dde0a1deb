import { createContext, type ReactNode } from 'react'

/** What the reconnect button gets. */
export interface ReconnectProps {
  mcpId: string
  /** display name of the integration */
  name: string
  /** ISO 8601; only a connection that was made after this counts */
  since: string
  /** whether the tool needs another key, which is entered in place */
  needsKey: boolean
  /** whether a decision is being sent */
  isDeciding: boolean
  /** called when the integration is connected, by this button or elsewhere */
  onConnected: () => void
}

/** Renders the reconnect button; provided by the app, because features do not import each other. */
export const ReconnectContext = createContext<(props: ReconnectProps) => ReactNode>(() => null)

import { createContext, type ReactNode } from 'react'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'

/** The tools that are turned off in a conversation, and a callback to change them. */
export interface ToolPickerProps {
  disabledTools: readonly DisabledTool[]
  onChange: (disabledTools: DisabledTool[]) => void
}

/** Renders the tool picker; null without tools. Provided by the app, because features do not import each other. */
export const ToolPickerContext = createContext<((props: ToolPickerProps) => ReactNode) | null>(null)

/** The tools of the user's connections, as far as they are loaded. */
export interface ToolsQuery {
  data: readonly IntegrationTools[] | undefined
  error: unknown
  refetch: () => Promise<unknown>
}

/** The tools of the signed-in user; null where the app provides none. */
export const ToolsContext = createContext<ToolsQuery | null>(null)

import { createContext, type ReactNode } from 'react'
import type { DisabledTool } from '#shared/contracts/chat.ts'

/** The tools that are turned off in a conversation, and a callback to change them. */
export interface ToolPickerProps {
  disabledTools: readonly DisabledTool[]
  onChange: (disabledTools: DisabledTool[]) => void
}

/** Renders the tool picker; null without tools. Provided by the app, because features do not import each other. */
export const ToolPickerContext = createContext<((props: ToolPickerProps) => ReactNode) | null>(null)

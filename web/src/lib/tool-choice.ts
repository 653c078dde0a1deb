import { createContext, type ReactNode } from 'react'
import type { DisabledTool } from '#shared/contracts/chat.ts'

/** What a conversation may not use, and how the user changes that. */
export interface ToolChoice {
  disabled: readonly DisabledTool[]
  onChange: (disabled: DisabledTool[]) => void
}

/** Renders the choice of tools; null without tools. Provided by the app, because features do not import each other. */
export const ToolPickerContext = createContext<((props: ToolChoice) => ReactNode) | null>(null)

import { useQuery } from '@tanstack/react-query'
import { useCallback, type ContextType } from 'react'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { ToolPicker } from '../features/integrations/tool-picker/tool-picker.tsx'
import type { ToolPickerContext, ToolPickerProps } from '../lib/conversations/tool-picker-context.ts'

/**
 * Renders the tool picker, as `ToolPickerContext` has it.
 * @param scope what the choice is for: one conversation, or the new conversations of a project
 * @returns null while the user has no tools, or they are not loaded
 */
export function useToolPicker(
  userId: string,
  scope: 'conversation' | 'project',
): ContextType<typeof ToolPickerContext> {
  const { data: hasTools = false } = useQuery({
    ...toolsQuery(userId),
    select: (tools) => tools.length > 0,
  })
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={userId} isForProject={scope === 'project'} {...props} />,
    [userId, scope],
  )
  return hasTools ? renderToolPicker : null
}

import { useQuery } from '@tanstack/react-query'
import { useCallback, type ReactNode } from 'react'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { ToolPicker } from '../features/integrations/tool-picker/tool-picker.tsx'
import type { ToolPickerProps } from '../lib/tool-picker-context.ts'

/**
 * Loads the user's tools.
 * @returns renders the picker of the tools of one conversation, or of a project's new ones; null while the user has none, or they are not loaded
 */
export function useToolPicker(
  userId: string,
  { isForProject = false }: { isForProject?: boolean } = {},
): ((props: ToolPickerProps) => ReactNode) | null {
  const { data: hasTools = false } = useQuery({ ...toolsQuery(userId), select: (tools) => tools.length > 0 })
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={userId} isForProject={isForProject} {...props} />,
    [userId, isForProject],
  )
  return hasTools ? renderToolPicker : null
}

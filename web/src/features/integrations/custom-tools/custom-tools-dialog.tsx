import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useBrand } from '../../../lib/config.ts'
import { AddToolDialog } from './add-tool-dialog.tsx'
import { returnedFailure } from '../state/connection-error.ts'
import { customToolsQuery } from '../catalogue/catalogue-queries.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { toolsChanged } from '../state/integrations-query.ts'

interface CustomToolsDialogProps {
  userId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The user's own tool servers (CUST-01 to CUST-04). */
export function CustomToolsDialog({ userId, open, onOpenChange }: CustomToolsDialogProps) {
  const { assistantName } = useBrand()
  const [adding, setAdding] = useState(false)
  const { data } = useQuery(customToolsQuery(userId))
  const isFull = (data?.length ?? 0) >= maxCustomServers
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        wide
        title="Custom Tools"
        description={`Servers of your own that ${assistantName} may use.`}
        footer={
          <Button tone="primary" disabled={isFull} onClick={() => setAdding(true)}>
            <Plus aria-hidden size={16} />
            Add Custom MCP Tool
          </Button>
        }
      >
        {isFull && (
          <Notice tone="info">
            You have {maxCustomServers} custom tools, which is the most. Remove one to add another.
          </Notice>
        )}
        <ToolList userId={userId} />
      </Dialog>
      <AddToolDialog userId={userId} open={adding} onOpenChange={setAdding} />
    </>
  )
}

function ToolList({ userId }: { userId: string }) {
  const { data, isPending, isError, refetch } = useQuery(customToolsQuery(userId))
  const { mutate, isPending: removing, variables } = useRemoveTool(userId)
  const { assistantName } = useBrand()
  const [chosen, setChosen] = useState<CustomTool>()
  if (isPending)
    return (
      <div role="status" aria-label="Loading custom tools" className="grid gap-4 py-1">
        <Skeleton className="h-10 rounded-md" />
        <Skeleton className="h-10 rounded-md" />
      </div>
    )
  if (isError)
    return (
      <Notice tone="danger" action={{ label: 'Try again', onClick: () => void refetch() }}>
        Your custom tools could not be read.
      </Notice>
    )
  if (data.length === 0) return <p className="py-4 text-ink-muted">No custom tools yet</p>
  return (
    <>
      <ul aria-label="Custom tools">
        {data.map((tool) => (
          <li key={tool.id} className="flex items-center gap-3 border-line py-2.5 not-last:border-b">
            <IntegrationTile name={tool.name} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" title={tool.name}>
                {tool.name}
              </p>
              <p className="truncate text-sm text-ink-muted" title={tool.config.serverUrl}>
                {[tool.description, hostOf(tool.config.serverUrl)].filter(Boolean).join(' · ')}
              </p>
            </div>
            <IconButton
              label={`Delete ${tool.name}`}
              tooltip={false}
              disabled={removing && variables.id === tool.id}
              icon={<Trash2 size={16} />}
              onClick={() => setChosen(tool)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        subject={chosen}
        title={({ name }) => `Delete ${name}?`}
        confirmLabel="Delete"
        onConfirm={(tool) => mutate(tool)}
        onClose={() => setChosen(undefined)}
      >
        {() =>
          `${assistantName} loses access to it, and its address and key are deleted. To use it again, add it anew.`
        }
      </ConfirmDialog>
    </>
  )
}

function hostOf(serverUrl: string): string {
  return URL.canParse(serverUrl) ? new URL(serverUrl).host : serverUrl
}

/** CUST-14, CUST-19, CUST-20 */
function useRemoveTool(userId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: CustomTool) => callApi('customTools.remove', { params: { toolId: id } }),
    onSuccess: () =>
      showToast('success', 'Custom Tool Removed', {
        description: 'Tool has been removed from your collection',
      }),
    onError: (error) =>
      showToast('error', 'Failed to Remove Tool', {
        description: returnedFailure(error, 'Please try again.') ?? 'The service could not be reached.',
      }),
    onSettled: () => {
      toolsChanged(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })
}

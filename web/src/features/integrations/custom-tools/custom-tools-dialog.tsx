import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { accountQuery } from '../../../lib/account-queries.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useBrand } from '../../../lib/config.ts'
import { AddToolDialog } from './add-tool-dialog.tsx'
import { findErrorMessage } from '../state/connection-error.ts'
import { customToolsQuery } from '../catalogue/catalogue-queries.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { invalidateTools } from '../state/integrations-query.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useLast } from '../../../lib/use-last.ts'
import * as texts from './texts.ts'
import * as integrationTexts from '../texts.ts'

interface CustomToolsDialogProps {
  userId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lists the user's custom tools, to add and delete them. */
export function CustomToolsDialog({ userId, open, onOpenChange }: CustomToolsDialogProps) {
  const { assistantName } = useBrand()
  const [isAdding, setIsAdding] = useState(false)
  const { data } = useQuery(customToolsQuery(userId))
  // the account is loaded elsewhere; the API also rejects tools that the user may not add
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  const isAllowed = (account?.limits?.tools ?? 'all') === 'all'
  const isFull = (data?.length ?? 0) >= maxCustomServers
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        wide
        title={texts.title}
        description={texts.description(assistantName)}
        footer={
          <Button variant="primary" disabled={isFull || !isAllowed} onClick={() => setIsAdding(true)}>
            <Plus aria-hidden size={16} />
            {texts.addTitle}
          </Button>
        }
      >
        {!isAllowed && <Callout variant="info">{texts.notAllowed}</Callout>}
        {isFull && <Callout variant="info">{texts.full(maxCustomServers)}</Callout>}
        <ToolList userId={userId} />
      </Dialog>
      <AddToolDialog userId={userId} open={isAdding} onOpenChange={setIsAdding} />
    </>
  )
}

function ToolList({ userId }: { userId: string }) {
  const query = useQuery(customToolsQuery(userId))
  const { mutate, isPending: isRemoving, variables } = useRemoveTool(userId)
  const { assistantName } = useBrand()
  const [toolToDelete, setToolToDelete] = useState<CustomTool>()
  const lastTool = useLast(toolToDelete)
  return (
    <>
      <Loaded query={query} label={texts.loading} failure={texts.notLoaded} empty={texts.noTools}>
        {(tools) => (
          <ul aria-label={texts.tools}>
            {tools.map((tool) => (
              <li key={tool.id} className="flex items-center gap-3 border-line py-2.5 not-last:border-b">
                <IntegrationTile name={tool.name} />
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium" title={tool.name}>
                    {tool.name}
                  </p>
                  <p className="truncate text-sm text-ink-muted" title={tool.config.serverUrl}>
                    {[tool.description, toHost(tool.config.serverUrl)].filter(Boolean).join(' · ')}
                  </p>
                </div>
                <IconButton
                  label={texts.deleteTool(tool.name)}
                  tooltip={false}
                  disabled={isRemoving && variables.id === tool.id}
                  icon={<Trash2 size={16} />}
                  onClick={() => setToolToDelete(tool)}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {lastTool && (
        <ActionDialog
          open={toolToDelete !== undefined}
          onClose={() => setToolToDelete(undefined)}
          title={texts.deleteTitle(lastTool.name)}
          confirmLabel={texts.confirmDelete}
          isDestructive
          onConfirm={async () => mutate(lastTool)}
        >
          <p className="text-ink-muted">{texts.deleteHint(assistantName)}</p>
        </ActionDialog>
      )}
    </>
  )
}

function toHost(serverUrl: string): string {
  return URL.canParse(serverUrl) ? new URL(serverUrl).host : serverUrl
}

function useRemoveTool(userId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: CustomTool) => callApi('customTools.remove', { params: { toolId: id } }),
    onSuccess: () =>
      showToast('success', texts.removed, {
        description: texts.removedHint,
      }),
    onError: (error) =>
      showToast('error', texts.removeFailed, {
        description: findErrorMessage(error, texts.tryAgainHint) ?? integrationTexts.serviceUnreachable,
      }),
    onSettled: () => {
      invalidateTools(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })
}

import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { accountQuery } from '../../../lib/account/account-queries.ts'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useBrand } from '../../../lib/api/config.ts'
import { AddToolDialog } from './add-tool-dialog.tsx'
import { findErrorMessage } from '../state/connection-error.ts'
import { customToolsQuery } from '../state/catalogue-queries.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { invalidateTools } from '../state/integrations-query.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { useRunningActions } from '../../../lib/actions/running-actions.ts'
import { useLast } from '../../../lib/browser/use-last.ts'

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
        title={t`Custom Tools`}
        description={t`Your own servers that ${assistantName} may use.`}
        footer={
          <Button variant="primary" disabled={isFull || !isAllowed} onClick={() => setIsAdding(true)}>
            <Plus aria-hidden size={16} />
            {t`Add Custom MCP Tool`}
          </Button>
        }
      >
        {!isAllowed && (
          <Callout variant="info">{t`Your administrator does not allow servers of your own. Tools that you added before are not used any more.`}</Callout>
        )}
        {isFull && (
          <Callout variant="info">{t`You have ${{ count: maxCustomServers }} custom tools, which is the most. Remove one to add another.`}</Callout>
        )}
        <ToolList userId={userId} />
      </Dialog>
      <AddToolDialog userId={userId} open={isAdding} onOpenChange={setIsAdding} />
    </>
  )
}

function ToolList({ userId }: { userId: string }) {
  const query = useQuery(customToolsQuery(userId))
  const { assistantName } = useBrand()
  const [toolToDelete, setToolToDelete] = useState<CustomTool>()
  const lastTool = useLast(toolToDelete)
  const running = useRunningActions()
  const { start: remove } = useRemoveTool(userId, lastTool?.id ?? '')
  return (
    <>
      <QueryContent
        query={query}
        label={t`Loading custom tools`}
        failure={t`Your custom tools could not be loaded.`}
        empty={t`No custom tools yet`}
      >
        {(tools) => (
          <ul aria-label={t`Custom tools`}>
            {tools.map((tool) => (
              <li key={tool.id} className="flex items-center gap-3 border-line py-2.5 not-last:border-b">
                <IntegrationTile name={tool.name} />
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium" dir="auto" title={tool.name}>
                    {tool.name}
                  </p>
                  <p className="truncate text-sm text-ink-muted" title={tool.config.serverUrl}>
                    {[describeTool(tool), toHost(tool.config.serverUrl)].filter(Boolean).join(' · ')}
                  </p>
                </div>
                <IconButton
                  label={t`Delete ${tool.name}`}
                  tooltip={false}
                  disabled={running.has(removalKey(tool.id))}
                  icon={<Trash2 size={16} />}
                  onClick={() => setToolToDelete(tool)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
      {lastTool && (
        <ActionDialog
          open={toolToDelete !== undefined}
          onClose={() => setToolToDelete(undefined)}
          title={t`Delete ${lastTool.name}?`}
          confirmLabel={t`Delete`}
          isDestructive
          onConfirm={async () => remove()}
        >
          <p className="text-ink-muted">{t`${assistantName} loses access to it, and its address and key are deleted. To use it again, add it once more.`}</p>
        </ActionDialog>
      )}
    </>
  )
}

/** What the service stores for a tool that the user has not described. */
const defaultDescription = 'Custom MCP Tool'
const describeTool = ({ description }: CustomTool) =>
  description === defaultDescription ? t`Custom MCP Tool` : description

function toHost(serverUrl: string): string {
  return URL.canParse(serverUrl) ? new URL(serverUrl).host : serverUrl
}

const removalKey = (toolId: string) => `tool/remove ${toolId}`

function useRemoveTool(userId: string, toolId: string) {
  const queryClient = useQueryClient()
  return useActionMutation(removalKey(toolId), {
    run: () => callApi('customTools.remove', { params: { toolId } }).catch(ignoreNotFound),
    onSuccess: (_removed, _input, { notify }) =>
      notify('success', t`Custom Tool Removed`, {
        description: t`Tool has been removed from your collection`,
      }),
    onError: (error, _input, { notify }) =>
      notify('error', t`Failed to Remove Tool`, {
        description: findErrorMessage(error, t`Please try again.`) ?? t`The service could not be reached.`,
        cause: error,
      }),
    onSettled: () => {
      invalidateTools(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })
}

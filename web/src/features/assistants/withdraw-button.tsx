import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ignoreNotFound } from '../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { watchPresence } from '../../lib/input/presence.ts'
import { projectPath } from '../../lib/navigation/paths.ts'

/** Withdraws an assistant after a confirmation, and leads somebody who has waited back to its project. */
export function WithdrawButton({
  assistant: { id, name },
  projectId,
}: {
  assistant: Assistant
  projectId: string
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  /** tells whether the user has stayed on the page since the withdrawal began */
  const isHere = useRef<() => boolean>(undefined)
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setIsAsking(true)}>
        {t`Withdraw`}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Withdraw “${{ assistant: name }}”?`}
        confirmLabel={t`Withdraw`}
        isDestructive
        onConfirm={async () => {
          isHere.current = watchPresence()
          await callApi(
            'assistants.withdraw',
            { params: { assistantId: id } },
            { timeoutMs: publishTimeoutMs },
          ).catch(ignoreNotFound)
          await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
        }}
        onDone={() => {
          setIsAsking(false)
          showToast('success', t`Withdrawn`)
          if (isHere.current?.()) navigate(projectPath(projectId))
        }}
      >
        <p className="text-ink-muted">{t`It ends at once for everybody. Their conversations go on without it; copies stay, and so does your project.`}</p>
      </ActionDialog>
    </>
  )
}

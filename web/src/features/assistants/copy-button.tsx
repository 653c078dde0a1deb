import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { Button } from '../../components/ui/button.tsx'
import { useAction } from '../../components/use-action.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { projectPath } from '../../lib/navigation/paths.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { promptsQuery } from '../../lib/queries/prompt-queries.ts'

/** Copies an assistant to a project of the user, with its instructions, prompts and the texts of its files, and leads to it. */
export function CopyButton({ assistant: { id: assistantId, name } }: { assistant: Assistant }) {
  const queryClient = useQueryClient()
  // the id of the copy: pressing the button again after a lost response makes no second one
  const [id, setId] = useState(() => crypto.randomUUID())
  const { isBusy, start } = useAction(
    `copy the assistant ${assistantId}`,
    async (_, openResult) => {
      await callApi(
        'assistants.copy',
        { params: { assistantId }, body: { id } },
        { timeoutMs: publishTimeoutMs },
      )
      setId(crypto.randomUUID())
      for (const { queryKey } of [projectsQuery, promptsQuery])
        void queryClient.invalidateQueries({ queryKey })
      openResult(projectPath(id), t`“${{ name }}” is ready`)
    },
    t`The assistant could not be copied`,
  )
  return (
    <Button variant="ghost" size="sm" className="mt-5" busy={isBusy} onClick={() => start()}>
      {!isBusy && <Copy aria-hidden size={16} />}
      {t`Copy to my projects`}
    </Button>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SyncResult } from '#shared/contracts/registry.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import { returnedFailure } from '../state/connection-error.ts'

export type SyncKind = 'force' | 'enhanced' | 'github' | 'refresh'

/** A sync may take minutes; who leaves meanwhile still hears how it ended. */
const syncTimeoutMs = 10 * 60_000
const titles = { force: 'Force Refresh', enhanced: 'Enhanced Sync', github: 'GitHub Sync' } as const

/** The header's buttons with their toasts (INT-07, INT-74 to INT-76, DEC-076, DEC-077). */
export function useSync(kind: SyncKind) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ['sync', kind],
    mutationFn: async (): Promise<SyncResult> => {
      const options = { timeoutMs: syncTimeoutMs }
      if (kind === 'enhanced')
        return callApi('registry.sync', { body: { trigger: 'manual', enhanced: true } }, options)
      return callApi('registry.refresh', { body: { kind } }, options)
    },
    onSuccess: (result) => {
      if (kind !== 'refresh') tellResult(kind, result)
    },
    onError: (error) => {
      // REG-39: a refresh that fails leaves what is there
      if (kind !== 'refresh') tellFailure(kind, error)
    },
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['registry'] }),
        // DEC-064: what was changed elsewhere appears too
        kind === 'refresh' && queryClient.invalidateQueries({ queryKey: ['integrations'] }),
      ])
    },
  })
}

function tellResult(kind: keyof typeof titles, { success, stats, errors }: SyncResult): void {
  const title = titles[kind]
  if (!success) {
    showToast('error', `${title} Failed`, { description: errors[0] ?? 'Please try again later.' })
    return
  }
  const counts = `${stats.total} servers, ${stats.new} new, ${stats.updated} updated`
  if (kind === 'enhanced' && errors.length > 0) {
    const issues = errors.length === 1 ? '1 issue' : `${errors.length} issues`
    showToast('info', `${title} Completed with Issues`, {
      description: `${counts}; ${issues}: ${errors[0] ?? ''}`,
    })
    return
  }
  showToast('success', `${title} Complete`, { description: counts })
}

function tellFailure(kind: keyof typeof titles, error: unknown): void {
  showToast('error', `${titles[kind]} Failed`, {
    description: returnedFailure(error, 'Please try again later.') ?? 'The service could not be reached.',
  })
}

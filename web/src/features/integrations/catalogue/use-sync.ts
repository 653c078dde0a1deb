import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SyncResult } from '#shared/contracts/registry.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import { findErrorMessage } from '../state/connection-error.ts'
import { noteSync } from './catalogue-queries.ts'
import * as texts from './texts.ts'
import * as integrationTexts from '../texts.ts'

export type SyncKind = 'force' | 'enhanced' | 'github' | 'refresh'

/** A sync may take minutes; its toast is shown even after leaving the page. */
const syncTimeoutMs = 10 * 60_000
const titles = { force: texts.forceRefresh, enhanced: texts.enhancedSync, github: texts.githubSync } as const

/** A sync button of the header, with its toasts. */
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
      if (kind !== 'refresh') notifyResult(kind, result)
    },
    onError: (error) => {
      // a failed refresh keeps the current data
      if (kind !== 'refresh') notifyError(kind, error)
    },
    onSettled: async () => {
      noteSync()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['registry'] }),
        // also loads changes made elsewhere
        kind === 'refresh' && queryClient.invalidateQueries({ queryKey: ['integrations'] }),
      ])
    },
  })
}

function notifyResult(kind: keyof typeof titles, { success, stats, errors }: SyncResult): void {
  const title = titles[kind]
  if (!success) {
    showToast('error', texts.syncFailed(title), { description: errors[0] ?? texts.tryLater })
    return
  }
  const counts = texts.syncCounts(stats.total, stats.new, stats.updated)
  if (kind === 'enhanced' && errors.length > 0) {
    showToast('info', texts.syncCompletedWithIssues(title), {
      description: texts.syncIssues(counts, errors.length, errors[0] ?? ''),
    })
    return
  }
  showToast('success', texts.syncComplete(title), { description: counts })
}

function notifyError(kind: keyof typeof titles, error: unknown): void {
  showToast('error', texts.syncFailed(titles[kind]), {
    description: findErrorMessage(error, texts.tryLater) ?? integrationTexts.serviceUnreachable,
  })
}

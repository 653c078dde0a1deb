import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { SyncResult } from '#shared/contracts/registry.ts'
import type { showToast } from '../../../components/ui/toast.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { createErrorDetails } from '../../../lib/api/error-details.ts'
import { findErrorMessage } from '../state/connection-error.ts'
import { noteSync } from '../state/catalogue-queries.ts'

const syncCounts = (total: number, added: number, updated: number) =>
  plural(total, {
    one: `# server, ${added} new, ${updated} updated`,
    other: `# servers, ${added} new, ${updated} updated`,
  })

/** Ways to update the catalogue. `refresh` also loads the connections again, and shows no toast. */
export type SyncKind = 'force' | 'enhanced' | 'github' | 'refresh'

/** A sync may take minutes. Its toast is shown even after the user has left the page. */
const syncTimeoutMs = 10 * 60_000
const titles = { force: t`Force Refresh`, enhanced: t`Enhanced Sync`, github: t`GitHub Sync` } as const

/** Updates the catalogue. A toast shows the result, except for `refresh`. */
export function useSync(kind: SyncKind) {
  const queryClient = useQueryClient()
  return useActionMutation(`sync ${kind}`, {
    run: async (): Promise<SyncResult> => {
      const options = { timeoutMs: syncTimeoutMs }
      if (kind === 'enhanced')
        return callApi('registry.sync', { body: { trigger: 'manual', enhanced: true } }, options)
      return callApi('registry.refresh', { body: { kind } }, options)
    },
    onSuccess: (result, _input, { notify }) => {
      if (kind !== 'refresh') notifyOfResult(kind, result, notify)
    },
    onError: (error, _input, { notify }) => {
      // after a failed refresh the page still shows what it had
      if (kind !== 'refresh') notifyOfError(kind, error, notify)
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

function notifyOfResult(
  kind: keyof typeof titles,
  { success, stats, errors, codes }: SyncResult,
  notify: typeof showToast,
): void {
  const [text] = errors
  const first = text === undefined ? undefined : translateSentence({ ...codes?.[0], text })
  const title = titles[kind]
  if (!success) {
    notify('error', t`${{ sync: title }} Failed`, {
      description: first ?? t`Please try again later.`,
      cause: createErrorDetails(codes?.[0]?.code ?? 'sync_failed'),
    })
    return
  }
  const counts = syncCounts(stats.total, stats.new, stats.updated)
  if (errors.length > 0) {
    notify('info', t`${{ sync: title }} Completed with Issues`, {
      description: t`${counts}; ${plural({ issues: errors.length }, { one: '# issue', other: '# issues' })}: ${{ first: first ?? '' }}`,
    })
    return
  }
  notify('success', t`${{ sync: title }} Complete`, { description: counts })
}

function notifyOfError(kind: keyof typeof titles, error: unknown, notify: typeof showToast): void {
  notify('error', t`${{ sync: titles[kind] }} Failed`, {
    description: findErrorMessage(error, t`Please try again later.`) ?? t`The service could not be reached.`,
    cause: error,
  })
}

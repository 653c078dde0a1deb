import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { customToolsQuery } from '../state/catalogue-queries.ts'
import { describeError } from '../state/connection-error.ts'
import { invalidateTools, providerTimeoutMs } from '../state/integrations-query.ts'
import { toToolConfig, type ToolForm } from './custom-tool-form.ts'

/** Has the service try the server of a tool that is not added yet. */
export const useToolTest = () =>
  useActionMutation('tool/test', {
    run: (tool: ToolForm) =>
      callApi('customTools.test', { body: { config: toToolConfig(tool) } }, { timeoutMs: providerTimeoutMs }),
  })

/** Adds a tool, and shows the result by a toast. @param onAdded called with the input that was sent */
export function useAddTool(userId: string, onAdded: (sent: Input<ToolForm>) => void) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('tool/add', {
    run: ({ value: tool }: Input<ToolForm>) => {
      const body = {
        name: tool.name.trim(),
        description: tool.description.trim(),
        config: toToolConfig(tool),
      }
      return withRecentSignIn(() => callApi('customTools.add', { body }, { timeoutMs: providerTimeoutMs }))
    },
    onSuccess: (_answer, sent, { notify }) => {
      notify('success', t`Custom Tool Added`, {
        description: t`Successfully added ${{ name: sent.value.name.trim() }}`,
      })
      onAdded(sent)
    },
    // the dialog stays open with its values
    onError: (error, _sent, { notify }) =>
      notify('error', t`Failed to Add Tool`, {
        description: describeError(error, t`Please try again.`),
        cause: error,
      }),
    onSettled: () => {
      invalidateTools(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })
}

import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { customToolsQuery } from '../state/catalogue-queries.ts'
import { describeError } from '../state/connection-error.ts'
import { invalidateTools, providerTimeoutMs } from '../state/integrations-query.ts'
import { useInput } from '../../../lib/input/use-input.ts'

/** The limit of the API. */
const maxKeyCharacters = 8_192

/** Asks for a new key for a custom tool whose server rejected the stored one; the waiting run then continues. */
export function CustomToolKey({
  userId,
  mcpId,
  name,
  busy,
  onConnected,
}: {
  userId: string
  mcpId: string
  name: string
  busy: boolean
  onConnected: () => void
}) {
  const queryClient = useQueryClient()
  const apiKey = useInput(`key/${mcpId}`)
  const save = useActionMutation(`key ${mcpId}`, {
    failureTitle: t`The key of ${name} was not saved`,
    run: (sent: typeof apiKey) =>
      callApi(
        'customTools.setKey',
        { params: { toolId: mcpId }, body: { apiKey: sent.value.trim() } },
        { timeoutMs: providerTimeoutMs },
      ),
    onSuccess: (_response, sent) => {
      sent.markSaved('')
      invalidateTools(queryClient)
      void queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
      onConnected()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (apiKey.value.trim() !== '' && !busy) save.start(apiKey)
  }
  return (
    <form noValidate onSubmit={submit} className="grid w-full gap-3">
      <PasswordField
        isCredential
        label={t`New key of ${name}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxKeyCharacters}
        input={apiKey}
        error={save.error ? describeError(save.error, t`Please try again.`) : undefined}
      />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={apiKey.value.trim() === ''}
        busy={save.isBusy || busy}
      >
        {t`Save and continue`}
      </Button>
    </form>
  )
}

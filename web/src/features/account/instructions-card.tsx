import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import type { Settings } from '#shared/contracts/account.ts'
import { maxInstructionCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { loadChangedAccount } from './load-changed-account.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useBrand } from '../../lib/api/config.ts'
import { saveAccount } from '../../lib/account/save-settings.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import { useInput } from '../../lib/input/use-input.ts'

/** What the user wants the assistant to know and to do in every conversation. */
export function InstructionsCard({
  settings: { instructions: savedText = '' },
}: {
  settings: Pick<Settings, 'instructions'>
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const input = useInput('instructions', { stored: savedText })
  const { value: text, isDirty, newer } = input
  const { isBusy, start } = useActionMutation('instructions', {
    run: async () => {
      const account = await saveAccount(queryClient, () =>
        callApi('account.settings', { body: { instructions: text, instructions_seen: savedText } }),
      )
      input.markSaved(account.settings.instructions ?? '')
    },
    onSuccess: (_saved, _input, { notify }) =>
      notify('success', t`Instructions saved!`, { description: t`They apply from your next message on.` }),
    onError: async (error, _input, { notify }) => {
      if (!(await loadChangedAccount(queryClient, error)))
        notify('error', t`Instructions not saved`, { error })
    },
  })
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (isDirty) start()
  }

  return (
    <SettingsCard title={t`Custom instructions`}>
      <form onSubmit={save} className="mt-4 grid gap-1.5">
        <TextAreaField
          label={t`What should ${assistantName} know about you, and how should it reply?`}
          hint={t`Used in all conversations, starting with your next message. They cannot give tools more permissions.`}
          rows={4}
          input={input}
          maxLength={maxInstructionCharacters}
          placeholder={t`For example: I am a nurse in Oslo. Reply briefly, in metric units.`}
        />
        <ChangedElsewhere newer={newer} onUse={input.reset} />
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabled={!isDirty}
          className="mt-1 justify-self-end max-sm:justify-self-stretch"
        >
          {t`Save instructions`}
        </Button>
      </form>
    </SettingsCard>
  )
}

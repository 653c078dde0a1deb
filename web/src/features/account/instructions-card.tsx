import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SubmitEvent } from 'react'
import type { Settings } from '#shared/contracts/account.ts'
import { maxInstructionCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery, loadChangedAccount } from '../../lib/account-queries.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { useStoredText } from '../../lib/use-stored-text.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import * as texts from './instructions-texts.ts'

/** What the user wants the assistant to know and to do in every conversation. */
export function InstructionsCard({
  settings: { instructions: savedText = '' },
  onDirtyChange,
}: {
  settings: Pick<Settings, 'instructions'>
  /** called with whether there are unsaved changes */
  onDirtyChange: (dirty: boolean) => void
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const { text, setText, isDirty, newer, show, showSaved } = useStoredText(savedText)
  const [busy, setBusy] = useState(false)
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange])

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || !isDirty) return
    setBusy(true)
    try {
      const account = await callApi('account.settings', {
        body: { instructions: text, instructions_seen: savedText },
      })
      await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
      queryClient.setQueryData(accountQuery.queryKey, account)
      showSaved(account.settings.instructions ?? '')
      showToast('success', texts.saved, { description: texts.savedHint })
    } catch (error) {
      if (!(await loadChangedAccount(queryClient, error)))
        showToast('error', texts.notSaved, { description: errorMessage(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <SettingsCard title={texts.title}>
      <form onSubmit={(event) => void save(event)} className="mt-4 grid gap-1.5">
        <TextAreaField
          label={texts.label(assistantName)}
          hint={texts.hint}
          rows={4}
          value={text}
          maxLength={maxInstructionCharacters}
          placeholder={texts.placeholder}
          onChange={({ target: { value } }) => setText(value)}
        />
        <ChangedElsewhere newer={newer} onUse={show} />
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={!isDirty}
          className="mt-1 justify-self-end max-sm:justify-self-stretch"
        >
          {texts.save}
        </Button>
      </form>
    </SettingsCard>
  )
}

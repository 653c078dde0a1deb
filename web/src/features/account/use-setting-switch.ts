import { t } from '@lingui/core/macro'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../components/use-action.ts'
import { saveSettings } from '../../lib/account/save-settings.ts'

/**
 * A setting that is saved when it is switched. It is shown as it will be while it is saved, and as it was if that fails.
 * @param stored what the account has
 * @returns the properties of a switch
 */
export function useSettingSwitch(name: 'keep_conversations' | 'store_uploads' | 'memory', stored: boolean) {
  const queryClient = useQueryClient()
  const { activity, start } = useActionMutation(`setting ${name}`, {
    run: (on: boolean) => saveSettings(queryClient, { [name]: on }),
    describe: (on) => (on ? 'on' : 'off'),
    onError: (error, _on, { notify }) =>
      notify('error', t`Update failed`, { description: getActionErrorMessage(error), cause: error }),
  })
  return {
    checked: activity === undefined ? stored : activity === 'on',
    busy: activity !== undefined,
    onChange: start,
  }
}

import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import { TwoFactorStatus } from './two-factor-status.tsx'
import { useTwoFactorChange } from './use-two-factor-change.ts'

const SetupWizard = lazyComponent(() => import('./setup-wizard.tsx'), 'SetupWizard')
const FactorChangeDialog = lazyComponent(() => import('./factor-change-dialog.tsx'), 'FactorChangeDialog')
const BackupCodesDialog = lazyComponent(() => import('./backup-codes.tsx'), 'BackupCodesDialog')

/** The same id for both messages, so that the second replaces the first. */
const enabledToastId = 'two-factor'
const confirmations = {
  disable: {
    title: t`Disable two-factor authentication?`,
    consequence: t`From then on your password alone signs you in. Your backup codes stop working.`,
    action: t`Disable`,
    isDestructive: true,
  },
  regenerate: {
    title: t`Make new backup codes?`,
    consequence: t`The codes you have now stop working at once. The new ones are shown only once.`,
    action: t`Make new codes`,
    isDestructive: false,
  },
} as const

/**
 * The two-factor settings: status, turning it on and off, new backup codes.
 * @param provider name of the identity provider with which the user signs in; shown only if the service says that there is one, which is
 * Google's where the token names none (`toSignedInUser`)
 */
export function TwoFactorRow({ provider = 'Google' }: { provider?: string | undefined }) {
  const queryClient = useQueryClient()
  const { data, error, errorUpdatedAt } = useQuery(twoFactorQuery)
  const [isSettingUp, setIsSettingUp] = useState(false)
  const change = useTwoFactorChange()
  const reload = () => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey })

  useEffect(() => {
    if (error) showToast('error', t`Error`, { description: t`Failed to check 2FA status`, cause: error })
  }, [error, errorUpdatedAt])

  const finish = () => {
    setIsSettingUp(false)
    showToast('success', t`2FA Enabled`, { id: enabledToastId })
  }
  const confirmation = change.requested && confirmations[change.requested]
  const row = useRestoredFocus({
    isEnabled: data?.enabled,
    isDialogOpen: isSettingUp || confirmation !== undefined,
  })
  return (
    <div ref={row}>
      <TwoFactorStatus provider={provider} change={change} onEnable={() => setIsSettingUp(true)} />
      <Suspense>
        {isSettingUp && (
          <SetupWizard
            onCancel={() => setIsSettingUp(false)}
            onEnabled={() => {
              showToast('success', t`2FA Enabled Successfully!`, { id: enabledToastId })
              void reload()
            }}
            onDone={finish}
          />
        )}
        {confirmation && (
          <FactorChangeDialog
            {...confirmation}
            busy={change.running !== undefined}
            needsCode={change.needsCode}
            codeError={change.codeError}
            onConfirm={change.confirm}
            onCancel={change.cancel}
          />
        )}
        {change.newCodes && <BackupCodesDialog codes={change.newCodes} onDone={change.closeCodes} />}
      </Suspense>
    </div>
  )
}

/**
 * Keeps keyboard focus in the row when the button that was pressed disappears with the change.
 * @param state.isEnabled whether two-factor is on; undefined until it is known
 * @param state.isDialogOpen whether a dialog has the focus
 * @returns the row's ref
 */
function useRestoredFocus({
  isEnabled,
  isDialogOpen,
}: {
  isEnabled: boolean | undefined
  isDialogOpen: boolean
}) {
  const row = useRef<HTMLDivElement>(null)
  const wasEnabled = useRef(isEnabled)
  useEffect(() => {
    if (isDialogOpen) return
    const isLost = document.activeElement === document.body
    if (wasEnabled.current !== undefined && wasEnabled.current !== isEnabled && isLost)
      row.current?.querySelector('button')?.focus()
    wasEnabled.current = isEnabled
  }, [isEnabled, isDialogOpen])
  return row
}

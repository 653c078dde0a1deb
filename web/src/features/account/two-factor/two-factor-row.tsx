import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldPlus } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode, useRef } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { getProviderLabel } from '../../../lib/config.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import { useTwoFactorChange } from './use-two-factor-change.ts'

const SetupWizard = lazyComponent(() => import('./setup-wizard.tsx'), 'SetupWizard')
const FactorChangeDialog = lazyComponent(() => import('./factor-change-dialog.tsx'), 'FactorChangeDialog')
const BackupCodesDialog = lazyComponent(() => import('./backup-codes.tsx'), 'BackupCodesDialog')

/** The same id for both messages, so that the second replaces the first. */
const enabledToastId = 'two-factor'
const lowCodesThreshold = 3

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
 * @param provider name of the identity provider with which the user signs in
 */
export function TwoFactorRow({ provider = 'Google' }: { provider?: string | undefined }) {
  const queryClient = useQueryClient()
  const { data, isPending, isError, isFetching, errorUpdatedAt, refetch } = useQuery(twoFactorQuery)
  const [isSettingUp, setIsSettingUp] = useState(false)
  const change = useTwoFactorChange()
  const reload = () => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey })

  useEffect(() => {
    if (isError) showToast('error', t`Error`, { description: t`Failed to check 2FA status` })
  }, [isError, errorUpdatedAt])

  const finish = () => {
    setIsSettingUp(false)
    showToast('success', t`2FA Enabled`, { id: enabledToastId })
  }
  const confirmation = change.requested && confirmations[change.requested]
  const row = useRestoredFocus(data?.enabled, isSettingUp || confirmation !== undefined)
  const renderStatus = () => {
    if (isPending) return <Row text={<Skeleton className="mt-1 h-4 w-64 max-w-full" />} />
    if (data === undefined)
      return (
        <Row text={t`Its status could not be loaded.`}>
          <Button busy={isFetching} onClick={() => void refetch()}>
            {t`Try again`}
          </Button>
        </Row>
      )
    if (data.federated) {
      const label = getProviderLabel(provider)
      return (
        <Row
          text={t`You sign in with ${label}. Set up two-factor authentication in your ${label} account.`}
        />
      )
    }
    if (!data.enabled)
      return (
        <Row badge={t`Recommended`} text={t`Add an extra layer of security to your account`}>
          <Button onClick={() => setIsSettingUp(true)}>
            <ShieldPlus aria-hidden size={16} />
            {t`Enable 2FA`}
          </Button>
        </Row>
      )
    return (
      <Row
        text={
          <>
            {t`Your account is protected with 2FA`}
            <CodesLeft count={data.backupCodesLeft} />
          </>
        }
      >
        <Button
          busy={change.running === 'regenerate'}
          disabled={change.running === 'disable'}
          onClick={() => change.request('regenerate')}
        >
          {t`New backup codes`}
        </Button>
        <Button
          variant="danger"
          busy={change.running === 'disable'}
          disabled={change.running === 'regenerate'}
          onClick={() => change.request('disable')}
        >
          {change.running === 'disable' ? t`Disabling...` : t`Disable`}
        </Button>
      </Row>
    )
  }
  return (
    <div ref={row}>
      {renderStatus()}
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

function CodesLeft({ count }: { count: number }) {
  if (count > lowCodesThreshold)
    return (
      <span className="block">
        {plural(count, { one: '# backup code left', other: '# backup codes left' })}
      </span>
    )
  return (
    <span className="block text-warning-ink">
      {count === 0
        ? t`No backup codes left: make new ones.`
        : plural(count, {
            one: 'Only # backup code left: make new ones.',
            other: `Only # backup codes left: make new ones.`,
          })}
    </span>
  )
}

/** A row of the security card. */
function Row({ badge, text, children }: { badge?: string; text: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-x-8 gap-y-3 max-sm:flex-col max-sm:items-stretch">
      <div className="min-w-0">
        <h3 className="flex items-center gap-2 font-medium">
          {t`Two-Factor Authentication`}
          {badge !== undefined && (
            <span className="rounded-chip bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent-ink">
              {badge}
            </span>
          )}
        </h3>
        <div className="text-ink-muted">{text}</div>
      </div>
      {children !== undefined && (
        <div className="flex shrink-0 gap-2 max-sm:flex-wrap max-sm:*:flex-1">{children}</div>
      )}
    </div>
  )
}

/**
 * Keeps keyboard focus in the row when the button that was pressed disappears with the change.
 * @param isEnabled whether two-factor is on; undefined until it is known
 * @param isDialogOpen whether a dialog has the focus
 * @returns the row's ref
 */
export function useRestoredFocus(isEnabled: boolean | undefined, isDialogOpen: boolean) {
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

import { t, plural } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { twoFactorQuery, describeTwoFactorError, setupTimeoutMs } from './two-factor-queries.ts'
import { ShieldPlus } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { getProviderLabel } from '../../../lib/api/config.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { SecondFactorProof } from './factor-change-dialog.tsx'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'

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

/** Whether two-factor is on, with the buttons that change it. */
function TwoFactorStatus({
  provider,
  change,
  onEnable,
}: {
  /** name of the identity provider with which the user signs in */
  provider: string
  change: Pick<ReturnType<typeof useTwoFactorChange>, 'running' | 'request'>
  onEnable: () => void
}) {
  const { data, isPending, isFetching, refetch } = useQuery(twoFactorQuery)
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
      <Row text={t`You sign in with ${label}. Set up two-factor authentication in your ${label} account.`} />
    )
  }
  if (!data.enabled)
    return (
      <Row badge={t`Recommended`} text={t`Add an extra layer of security to your account`}>
        <Button onClick={onEnable}>
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

/** With so few codes left, a lost phone could soon lock the user out. */
const lowCodesThreshold = 3

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

type Change = 'disable' | 'regenerate'

/**
 * Turns two-factor off and creates new backup codes, after a confirmation, and with a code if the sign-in is too old.
 */
function useTwoFactorChange() {
  const queryClient = useQueryClient()
  const [requestedChange, setRequestedChange] = useState<Change>()
  const [needsCode, setNeedsCode] = useState(false)
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  const { start, activity, error, reset } = useActionMutation('two-factor', {
    describe: ({ action }) => action,
    run: ({ action, proof }: { action: Change; proof?: SecondFactorProof }) =>
      callApi('mfa.setup', { body: { action, ...proof } }, { timeoutMs: setupTimeoutMs }),
    onSuccess: ({ backupCodes }, { action }, { isShown, notify }) => {
      setRequestedChange(undefined)
      setNeedsCode(false)
      if (action === 'regenerate' && isShown) setNewCodes(backupCodes)
      else if (action === 'regenerate')
        notify('warning', t`Your new backup codes were not shown`, {
          description: t`You had left the page, and the earlier codes no longer work. Please make new ones.`,
        })
      else
        notify('success', t`2FA Disabled`, {
          description: t`Two-factor authentication has been disabled for your account.`,
        })
    },
    onError: (failure, { action }, { isShown, notify }) => {
      if (hasErrorCode(failure, 'proof_required')) return setNeedsCode(true)
      // the code field shows the message
      if (needsCode && isShown) return undefined
      const description =
        action === 'disable' && !(failure instanceof ApiError)
          ? t`Failed to disable 2FA`
          : describeTwoFactorError(failure)
      notify('error', t`Error`, { description, cause: failure })
      return undefined
    },
    onSettled: (failure) =>
      // the code field can be used at once: nothing has changed
      hasErrorCode(failure, 'proof_required')
        ? undefined
        : queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey }),
  })
  return {
    /** the running change */
    running: activity,
    /** the change that is being confirmed */
    requested: requestedChange,
    needsCode,
    codeError: error && !hasErrorCode(error, 'proof_required') ? describeTwoFactorError(error) : undefined,
    newCodes,
    request: setRequestedChange,
    confirm: (proof?: SecondFactorProof) =>
      requestedChange && start({ action: requestedChange, ...(proof && { proof }) }),
    cancel: () => {
      setRequestedChange(undefined)
      setNeedsCode(false)
      reset()
    },
    closeCodes: () => setNewCodes(undefined),
  }
}

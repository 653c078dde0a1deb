import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { getProviderLabel } from '../../../lib/api/config.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import type { useTwoFactorChange } from './use-two-factor-change.ts'

/** Whether two-factor is on, with the buttons that change it. */
export function TwoFactorStatus({
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

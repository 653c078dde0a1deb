import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { Link } from '../../../lib/navigation/router.tsx'
import type { AdminUser } from '#shared/contracts/admin.ts'
import { getOwn } from '#shared/get-own.ts'
import { Badge, type BadgeVariant } from '../../../components/ui/badge.tsx'
import { getProviderLabel } from '../../../lib/api/config.ts'
import { formatDate } from '../../../lib/text/dates.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'

const statuses: Record<AdminUser['status'], string> = {
  active: t({ message: 'Active', context: 'account' }),
  unconfirmed: t`Not confirmed`,
  disabled: t`Disabled`,
  reset_required: t`Must reset the password`,
}

const statusVariants: Record<AdminUser['status'], BadgeVariant> = {
  active: 'success',
  unconfirmed: 'warning',
  disabled: 'danger',
  reset_required: 'warning',
}

/** The state of an account, as a badge; in the words of the service if this page does not know it. */
export const StatusBadge = ({ status }: Pick<AdminUser, 'status'>) => (
  <Badge variant={getOwn(statusVariants, status) ?? 'quiet'}>{getOwn(statuses, status) ?? status}</Badge>
)

/** How a user signs in. @param signIn `password`, or the name of an identity provider @returns the word for a password, or the label of the provider */
export const formatSignIn = (signIn: string) =>
  signIn === 'password' ? t`Password` : getProviderLabel(signIn)

const formatActivity = (time: string) => t`Last active ${{ day: formatDate(new Date(time)) }}`

/** A user in the list, linked to their page. @param searchText restored by the link back to the list */
export function UserRow({ user, searchText }: { user: AdminUser; searchText: string }) {
  const { id, email, name, status, sign_in: signIn, groups, two_factor: hasTwoFactor } = user
  const { provider_groups: providerGroups = [], last_active_at: activeAt } = user
  return (
    <li>
      <Link
        to={`${adminUsersPath}/${id}`}
        state={{ searchText }}
        className="-mx-2 flex items-center gap-3 rounded-md px-2 py-3 text-ink no-underline hover:bg-surface-hover"
      >
        <div className="flex min-w-0 flex-1 items-center gap-x-4 gap-y-1.5 max-sm:flex-col max-sm:items-stretch">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium" dir="auto" title={email}>
              {email}
            </p>
            <p className="truncate text-sm text-ink-muted" dir="auto">
              {[name, formatSignIn(signIn), activeAt && formatActivity(activeAt)].filter(Boolean).join(' · ')}
            </p>
          </div>
          <div className="flex max-w-[50%] flex-wrap justify-end gap-1.5 max-sm:max-w-none max-sm:justify-start">
            {status !== 'active' && <StatusBadge status={status} />}
            {hasTwoFactor && <Badge variant="outline">{t`Two-factor`}</Badge>}
            {[...new Set([...groups, ...providerGroups])].map((group) => (
              <Badge key={group} className="truncate">
                {group}
              </Badge>
            ))}
          </div>
        </div>
        <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-faint" />
      </Link>
    </li>
  )
}

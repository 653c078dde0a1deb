import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { Link, useLocation, useParams } from '../../../lib/navigation/router.tsx'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { CostExclusions, UsageDetails } from '../../../components/usage-details.tsx'
import { isNotFound } from '../../../lib/api/api-errors.ts'
import { formatDateTime, formatHour } from '../../../lib/text/dates.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'
import { userQuery } from '../admin-queries.ts'
import { LimitsList } from '../limits-list.tsx'
import { ChangeGroupsDialog } from './change-groups-dialog.tsx'
import { UserActions } from './user-actions.tsx'
import { formatSignIn, StatusBadge } from './user-row.tsx'
import { QueryContent } from '../../../components/query-content.tsx'

const formatTwoFactor = (isOn: boolean) => (isOn ? t`On` : t`Off`)

/** A user: account, usage, limits, groups, and what can be done. @param ownId the id of the signed-in administrator */
export function UserSection({ ownId }: { ownId: string }) {
  const { userId = '' } = useParams()
  const query = useQuery(userQuery(userId))
  return (
    <>
      <BackToUsers />
      {isNotFound(query.error) ? (
        <p className="py-4 text-ink-muted">{t`There is no such user. The account may have been deleted.`}</p>
      ) : (
        <QueryContent query={query} label={t`Loading the user`} failure={t`This user could not be loaded.`}>
          {(user) => (
            // nothing of one user's dialogs and errors shows with another
            <Fragment key={user.id}>
              <AccountCard user={user} isOwn={user.id === ownId} />
              <UsageCard user={user} />
              <GroupsCard user={user} isOwn={user.id === ownId} />
              <UserActions user={user} isOwn={user.id === ownId} />
            </Fragment>
          )}
        </QueryContent>
      )}
    </>
  )
}

/** A link back to the list that keeps its search. */
function BackToUsers() {
  const state: unknown = useLocation().state
  const searchText =
    typeof state === 'object' &&
    state !== null &&
    'searchText' in state &&
    typeof state.searchText === 'string'
      ? state.searchText
      : ''
  return (
    <Link
      to={adminUsersPath + (searchText && `?${new URLSearchParams({ query: searchText })}`)}
      className="link inline-flex items-center gap-1.5 justify-self-start py-1 text-sm font-medium"
    >
      <ArrowLeft aria-hidden size={16} />
      {t`All users`}
    </Link>
  )
}

function AccountCard({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  return (
    <SettingsCard title={user.email} {...(isOwn && { subtitle: t`This is you` })}>
      <CardSection>
        <dl className="grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)] gap-x-6 gap-y-2.5 max-sm:grid-cols-[minmax(0,7rem)_minmax(0,1fr)] max-sm:gap-x-4">
          <Fact label={t`Name`}>
            <span dir="auto">{user.name === '' ? t({ message: 'None', context: 'name' }) : user.name}</span>
          </Fact>
          <Fact label={t`Status`}>
            <StatusBadge status={user.status} />
          </Fact>
          <Fact label={t`Signs in with`}>{formatSignIn(user.sign_in)}</Fact>
          <Fact label={t`Two-factor`}>
            {user.sign_in === 'password'
              ? formatTwoFactor(user.two_factor)
              : t`Set at ${{ label: formatSignIn(user.sign_in) }}`}
          </Fact>
          <Fact label={t`Account since`}>
            <time dateTime={user.created_at}>{formatDateTime(new Date(user.created_at))}</time>
          </Fact>
          <Fact label={t`Last active`}>
            {user.last_active_at === undefined ? (
              t`Not known`
            ) : (
              <time dateTime={user.last_active_at}>{formatHour(new Date(user.last_active_at))}</time>
            )}
          </Fact>
          <Fact label={t`ID`}>
            <code className="text-sm">{user.id}</code>
          </Fact>
          {user.log_id !== undefined && (
            <Fact label={t`ID in logs`}>
              <code className="text-sm">{user.log_id}</code>
            </Fact>
          )}
        </dl>
      </CardSection>
    </SettingsCard>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}

function UsageCard({ user: { usage, limits } }: { user: AdminUserDetails }) {
  return (
    <SettingsCard title={t`Usage`} subtitle={t`What replies to this user used. Days and months are in UTC.`}>
      <CardSection className="grid grid-cols-2 gap-x-12 gap-y-6 max-sm:grid-cols-1">
        {(
          [
            [t`Today`, usage.today],
            [t`This month`, usage.month],
          ] as const
        ).map(([title, totals]) => (
          <div key={title}>
            <h3 className="mb-2 font-medium">{title}</h3>
            <UsageDetails usage={totals} />
            <CostExclusions usage={totals} />
          </div>
        ))}
      </CardSection>
      <CardSection>
        <h3 className="mb-2 font-medium">{t`Limits in force`}</h3>
        <LimitsList limits={limits} label={t`Limits in force`} />
        {(limits.tokens_per_day ?? limits.tokens_per_month) !== undefined && (
          <p className="mt-2 text-sm text-ink-muted">{t`Cached tokens count in full.`}</p>
        )}
      </CardSection>
    </SettingsCard>
  )
}

function GroupsCard({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const { provider_groups: providerGroups = [], sign_in: signIn } = user
  const providerName = formatSignIn(signIn)
  return (
    <SettingsCard title={t`Groups`} subtitle={t`They decide what the user may use.`}>
      <CardSection>
        <SettingRow
          title={t`Member of`}
          description={user.groups.length === 0 ? t`In no group` : <GroupBadges groups={user.groups} />}
        >
          <Button onClick={() => setIsOpen(true)}>{t`Change groups`}</Button>
        </SettingRow>
      </CardSection>
      {providerGroups.length > 0 && (
        <CardSection>
          <SettingRow
            title={t`From ${{ label: providerName }}`}
            description={
              <>
                <GroupBadges groups={providerGroups} />
                <span className="mt-1.5 block">{t`${{ label: providerName }} names them at each sign-in. They can be changed only there, and a change counts from the next sign-in on.`}</span>
              </>
            }
          />
        </CardSection>
      )}
      <ChangeGroupsDialog user={user} isOwn={isOwn} open={isOpen} onClose={() => setIsOpen(false)} />
    </SettingsCard>
  )
}

const GroupBadges = ({ groups }: { groups: readonly string[] }) => (
  <span className="mt-1.5 flex flex-wrap gap-1.5">
    {groups.map((group) => (
      <Badge key={group}>{group}</Badge>
    ))}
  </span>
)

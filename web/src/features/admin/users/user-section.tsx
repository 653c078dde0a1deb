import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import type { AdminUserDetails } from '#shared/contracts/admin.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { CostExclusions, UsageDetails } from '../../../components/usage-details.tsx'
import { ApiError } from '../../../lib/api-errors.ts'
import { formatDateTime } from '../../../lib/dates.ts'
import { userQuery } from '../admin-queries.ts'
import { LimitsList } from '../limits-list.tsx'
import { ChangeGroupsDialog } from './change-groups-dialog.tsx'
import { UserActions } from './user-actions.tsx'
import { formatSignIn, StatusBadge } from './user-row.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import * as texts from './texts.ts'

/** A user: account, usage, limits, groups, and what can be done. @param ownId the id of the signed-in administrator */
export function UserSection({ ownId }: { ownId: string }) {
  const { userId = '' } = useParams()
  const query = useQuery(userQuery(userId))
  return (
    <>
      <BackToUsers />
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <p className="py-4 text-ink-muted">{texts.userNotFound}</p>
      ) : (
        <Loaded query={query} label={texts.loadingUser} failure={texts.userNotLoaded}>
          {(user) => (
            <>
              <AccountCard user={user} isOwn={user.id === ownId} />
              <UsageCard user={user} />
              <GroupsCard user={user} isOwn={user.id === ownId} />
              <UserActions user={user} isOwn={user.id === ownId} />
            </>
          )}
        </Loaded>
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
      to={{
        pathname: '/admin/users',
        search: searchText === '' ? '' : new URLSearchParams({ query: searchText }).toString(),
      }}
      className="link inline-flex items-center gap-1.5 justify-self-start py-1 text-sm font-medium"
    >
      <ArrowLeft aria-hidden size={16} />
      {texts.allUsers}
    </Link>
  )
}

function AccountCard({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  return (
    <SettingsCard title={user.email} {...(isOwn && { subtitle: texts.you })}>
      <CardSection>
        <dl className="grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)] gap-x-6 gap-y-2.5 max-sm:grid-cols-[minmax(0,7rem)_minmax(0,1fr)] max-sm:gap-x-4">
          <Fact label={texts.name}>
            <span dir="auto">{user.name === '' ? texts.noName : user.name}</span>
          </Fact>
          <Fact label={texts.status}>
            <StatusBadge status={user.status} />
          </Fact>
          <Fact label={texts.signIn}>{formatSignIn(user.sign_in)}</Fact>
          <Fact label={texts.twoFactor}>
            {user.sign_in === 'password'
              ? texts.twoFactorState(user.two_factor)
              : texts.twoFactorAt(formatSignIn(user.sign_in))}
          </Fact>
          <Fact label={texts.since}>
            <time dateTime={user.created_at}>{formatDateTime(new Date(user.created_at))}</time>
          </Fact>
          <Fact label={texts.id}>
            <code className="text-sm">{user.id}</code>
          </Fact>
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
    <SettingsCard title={texts.usage} subtitle={texts.usageHint}>
      <CardSection className="grid grid-cols-2 gap-x-12 gap-y-6 max-sm:grid-cols-1">
        {(
          [
            [texts.today, usage.today],
            [texts.month, usage.month],
          ] as const
        ).map(([title, totals]) => (
          <div key={title}>
            <h3 className="mb-2 font-medium">{title}</h3>
            <UsageDetails usage={totals} replies={totals.replies} />
            <CostExclusions usage={totals} />
          </div>
        ))}
      </CardSection>
      <CardSection>
        <h3 className="mb-2 font-medium">{texts.limits}</h3>
        <LimitsList limits={limits} label={texts.limits} />
      </CardSection>
    </SettingsCard>
  )
}

function GroupsCard({ user, isOwn }: { user: AdminUserDetails; isOwn: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const { provider_groups: providerGroups = [], sign_in: signIn } = user
  const providerName = formatSignIn(signIn)
  return (
    <SettingsCard title={texts.groups} subtitle={texts.groupsHint}>
      <CardSection>
        <SettingRow
          title={texts.groupMemberships}
          description={user.groups.length === 0 ? texts.inNoGroup : <GroupBadges groups={user.groups} />}
        >
          <Button onClick={() => setIsOpen(true)}>{texts.changeGroups}</Button>
        </SettingRow>
      </CardSection>
      {providerGroups.length > 0 && (
        <CardSection>
          <SettingRow
            title={texts.providerGroups(providerName)}
            description={
              <>
                <GroupBadges groups={providerGroups} />
                <span className="mt-1.5 block">{texts.providerGroupsHint(providerName)}</span>
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

import { t } from '@lingui/core/macro'
import {
  Blocks,
  BookUser,
  CalendarClock,
  ChartColumn,
  Mail,
  ScrollText,
  SlidersHorizontal,
  User,
  Users,
} from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { Navigate, Routes, useLocation, useNavigate } from '../../lib/navigation/router.tsx'
import {
  useQueryClient,
  type MutationCacheNotifyEvent,
  type QueryCacheNotifyEvent,
} from '@tanstack/react-query'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionLayout, SectionNav } from '../../components/section-nav.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { useBackToChat } from '../../lib/navigation/use-back-to-chat.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { AppsSection } from './apps/apps-section.tsx'
import { AssistantsSection } from './assistants/assistants-section.tsx'
import { AuditSection } from './audit/audit-section.tsx'
import { GroupsSection } from './groups/groups-section.tsx'
import { InvitationsSection } from './invitations/invitations-section.tsx'
import { SchedulesSection } from './schedules/schedules-section.tsx'
import { SiteSection } from './site/site-section.tsx'
import { UsageSection } from './usage/usage-section.tsx'
import { UserSection } from './users/user-section.tsx'
import { UsersSection } from './users/users-section.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { adminPath, adminUsersPath } from '../../lib/navigation/paths.ts'
import { ApiError } from '../../lib/api/api-errors.ts'

const sections = [
  { id: 'users', path: adminUsersPath, label: t`Users`, Icon: User },
  { id: 'invitations', path: `${adminPath}/invitations`, label: t`Invitations`, Icon: Mail },
  { id: 'groups', path: `${adminPath}/groups`, label: t`Groups`, Icon: Users },
  { id: 'assistants', path: `${adminPath}/assistants`, label: t`Assistants`, Icon: BookUser },
  { id: 'schedules', path: `${adminPath}/schedules`, label: t`Schedules`, Icon: CalendarClock },
  { id: 'apps', path: `${adminPath}/apps`, label: t`Apps`, Icon: Blocks },
  { id: 'site', path: `${adminPath}/site`, label: t`Site`, Icon: SlidersHorizontal },
  { id: 'usage', path: `${adminPath}/usage`, label: t`Usage`, Icon: ChartColumn },
  { id: 'log', path: `${adminPath}/log`, label: t`Log`, Icon: ScrollText },
] as const

/** The administration. @param isAdmin false once the role was taken away while the page was open */
export function AdminPage({ user, isAdmin }: { user: SignedInUser; isAdmin: boolean }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { onBack } = useBackToChat()
  const queryClient = useQueryClient()

  const leave = useCallback(() => {
    showToast('info', t`You are no longer an administrator`, {
      id: 'role-lost',
      description: t`Your groups have changed.`,
    })
    navigate('/', { replace: true })
    // the account menu shows its link to the administration by this query
    void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
  }, [navigate, queryClient])
  useRoleLoss(leave)
  useEffect(() => {
    if (!isAdmin) leave()
  }, [isAdmin, leave])

  const section = sections.find(({ id }) => pathname.split('/')[2] === id)
  useDocumentTitle([...(section ? [section.label] : []), t`Administration`].join(' - '))

  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        wide
        title={t`Administration`}
        subtitle={t`Who can use this installation, and how much`}
        onBack={onBack}
      />
      <SectionLayout
        nav={
          <SectionNav
            isRow
            label={t`Sections of the administration`}
            groups={[{ sections }]}
            current={section?.id}
          />
        }
      >
        <main className="grid grid-cols-1 gap-4">
          <Routes
            pages={{
              [adminPath]: <Navigate to={adminUsersPath} />,
              [adminUsersPath]: <UsersSection />,
              [`${adminUsersPath}/:userId`]: <UserSection ownId={user.sub} />,
              [`${adminPath}/invitations`]: <InvitationsSection />,
              [`${adminPath}/groups`]: <GroupsSection />,
              [`${adminPath}/assistants`]: <AssistantsSection />,
              [`${adminPath}/schedules`]: <SchedulesSection />,
              [`${adminPath}/apps`]: <AppsSection />,
              [`${adminPath}/site`]: <SiteSection />,
              [`${adminPath}/usage`]: <UsageSection />,
              [`${adminPath}/log`]: <AuditSection />,
              '*': (
                <p className="py-8 text-ink-muted">{t`This page of the administration does not exist.`}</p>
              ),
            }}
          />
        </main>
      </SectionLayout>
    </div>
  )
}

const isRoleLoss = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) =>
  event.type === 'updated' &&
  event.action.type === 'error' &&
  event.action.error instanceof ApiError &&
  event.action.error.code === 'not_admin'

/**
 * Reports that the user is no longer an administrator, when any query or mutation is rejected because of that.
 * @param onLoss must be a stable function
 */
function useRoleLoss(onLoss: () => void): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const report = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (isRoleLoss(event)) onLoss()
    }
    const unsubscribeQueries = queryClient.getQueryCache().subscribe(report)
    const unsubscribeMutations = queryClient.getMutationCache().subscribe(report)
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
    }
  }, [queryClient, onLoss])
}

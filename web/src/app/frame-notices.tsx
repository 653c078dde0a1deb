import { lazyComponent } from '../components/lazy-component.tsx'
import { OfflineBar } from '../components/offline-bar.tsx'
import { SiteNotice } from '../components/site-notice.tsx'

const AdminNotice = lazyComponent(() => import('../features/admin/admin-notice.tsx'), 'AdminNotice', null, {
  silent: true,
})

/** What stands below the top bar when there is something to say. @param adminId of the signed-in administrator */
export function FrameNotices({ adminId }: { adminId: string | undefined }) {
  return (
    <>
      <OfflineBar />
      <SiteNotice />
      {adminId !== undefined && <AdminNotice userId={adminId} />}
    </>
  )
}

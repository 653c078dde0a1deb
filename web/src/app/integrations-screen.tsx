import { IntegrationsPage } from '../features/integrations/integrations-page.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { useSignedInUser } from './signed-in.tsx'

/** /integrations (NAV-05, NAV-13). */
export function IntegrationsScreen() {
  const { sub } = useSignedInUser()
  return (
    <>
      <OfflineBar />
      <IntegrationsPage userId={sub} />
    </>
  )
}

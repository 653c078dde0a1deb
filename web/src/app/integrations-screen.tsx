import { IntegrationsPage } from '../features/integrations/catalogue/integrations-page.tsx'
import { OfflineBar } from '../components/offline-bar.tsx'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The page at /integrations. */
export function IntegrationsScreen() {
  const { sub } = useSignedInUser()
  return (
    <>
      <OfflineBar />
      <IntegrationsPage userId={sub} />
    </>
  )
}

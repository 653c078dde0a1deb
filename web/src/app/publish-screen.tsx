import { useQuery } from '@tanstack/react-query'
import { useParams } from '../lib/navigation/router.tsx'
import { PublishPage } from '../features/assistants/publish-page.tsx'
import { integrationsQuery, isConnected } from '../features/integrations/state/integrations-query.ts'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The page that publishes a project, at /projects/…/publish, with what the user has connected. */
export function PublishScreen() {
  const user = useSignedInUser()
  const { projectId = '' } = useParams()
  const { data: connections } = useQuery(integrationsQuery(user.sub))
  return (
    <PublishPage
      key={projectId}
      projectId={projectId}
      connected={connections?.filter(isConnected).map(({ mcp_id: id, mcp_name: name }) => ({ id, name }))}
    />
  )
}

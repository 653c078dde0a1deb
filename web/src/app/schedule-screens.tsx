import { useQuery } from '@tanstack/react-query'
import { useParams } from '../lib/navigation/router.tsx'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { SchedulePage } from '../features/schedules/schedule-page.tsx'
import { SchedulesPage } from '../features/schedules/schedules-page.tsx'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The list at /scheduled. It shares the chunk of the page of a schedule. */
export const SchedulesScreen = SchedulesPage

/** The page of a schedule at /scheduled/…, or of a new one, with the user's tools. */
export function ScheduleScreen() {
  const user = useSignedInUser()
  const { scheduleId } = useParams()
  const tools = useQuery(toolsQuery(user.sub))
  return <SchedulePage key={scheduleId} scheduleId={scheduleId} tools={tools} />
}

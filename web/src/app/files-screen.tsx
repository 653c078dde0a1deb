import { useNavigate } from 'react-router'
import { FilesPage } from '../features/files/files-page.tsx'
import { OfflineBar } from './offline-bar.tsx'

/** The page behind /files. */
export function FilesScreen() {
  const navigate = useNavigate()
  return (
    <>
      <OfflineBar />
      <FilesPage onBack={() => void navigate('/settings')} />
    </>
  )
}

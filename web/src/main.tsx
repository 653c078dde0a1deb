import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadPage } from './app/routes.tsx'
import { startFocusRestore } from './lib/restore-focus.ts'
import { watchFailedImports } from './lib/reload-page.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { startTheme } from './lib/theme.ts'
import './styles/app.css'

watchFailedImports()
startTheme()
startFocusRestore()
void registerServiceWorker()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// index.html shows the loading screen until then
void preloadPage(location.pathname).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)

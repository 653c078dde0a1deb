import { t } from '@lingui/core/macro'

export const addTheRedirectURL = t`Add the redirect URL`
export const addThisRedirectURL = (description: string) =>
  t`${description}, add this redirect URL, exactly as shown here, and save.`
export const redirectURL = t`Redirect URL`
export const giveItPermissions = t`Give it permissions`
export const scopes = t`Scopes`
export const pasteTheClientID = t`Paste the client ID`
export const generalAppOAuthUser = t`General app (OAuth), user-managed`
export const createAGeneralApp = t`Create a general app`
export const chooseDevelopBuildApp = (assistantName: string) =>
  t`Choose Develop, Build App, General App, and manage it as a user. Call it ${assistantName}.`
export const openTheZoomMarketplace = t`Open the Zoom Marketplace`
export const underBasicInformationAs = t`Under “Basic Information”, as OAuth redirect URL and in the allow list`
export const onTheScopesPage = t`On the Scopes page, add these.`
export const itIsUnderBasic = t`It is under “Basic Information”. Development and production have different ones: take the pair that is active.`
export const oauthApp = t`OAuth app`
export const createAnOAuthApp = t`Create an OAuth app`
export const openOAuthAppsPress = (assistantName: string) =>
  t`Open “OAuth Apps”, press “New OAuth App” and call it ${assistantName}. Any home page will do.`
export const openDeveloperSettings = t`Open developer settings`
export const asAuthorizationCallbackURL = t`As “Authorization callback URL”`
export const makeAClientSecret = t`Make a client secret`
export const registerTheAppThen = t`Register the app, then press “Generate a new client secret”. GitHub shows it once.`
export const itIsAtThe = t`It is at the top of the app’s page.`
export const oauthClientIDType = t`OAuth client ID, type Web application`
export const chooseAProjectAnd = t`Choose a project and enable the Gmail API`
export const createAGoogleCloud = t`Create a Google Cloud project or take one you have, then press “Enable” on the Gmail API.`
export const openTheGmailAPI = t`Open the Gmail API`
export const fillInTheConsent = t`Fill in the consent screen`
export const giveItAName = t`Give it a name and your address, and publish it to production: in testing, Google ends a connection after 7 days, and only test users can connect.`
export const openTheConsentScreen = t`Open the consent screen`
export const onTheConsentScreen = t`On the consent screen, add these scopes.`
export const createTheClient = t`Create the client`
export const pressCreateCredentialsOAuth = t`Press “Create credentials”, “OAuth client ID”, and choose “Web application”.`
export const openCredentials = t`Open credentials`
export const underAuthorisedRedirectURIs = t`Under “Authorised redirect URIs”`
export const googleShowsItWhen = t`Google shows it when the client is created. It ends in .apps.googleusercontent.com.`
export const externalClientApp = t`External Client App`
export const createAnExternalClient = t`Create an external client app`
export const signInToThe = t`Sign in to the sandbox itself, at test.salesforce.com: an app of the live organisation does not work there.`
export const openTheExternalClient = (assistantName: string) =>
  t`Open the External Client App Manager, press “New” and call the app ${assistantName}.`
export const openSetup = t`Open Setup`
export const enableOAuthAndAs = t`Enable OAuth, and as “Callback URL”`
export const addTheseScopesLeave = t`Add these scopes; leave “Require PKCE” on.`
export const salesforceCallsItConsumer = t`Salesforce calls it “Consumer Key”. A new app may need ten minutes before it works.`
export const slackAppOAuthV2 = t`Slack app (OAuth v2)`
export const createAnApp = t`Create an app`
export const inThePortalChoose = (assistantName: string) =>
  t`In the portal choose “From scratch”, name it ${assistantName} and pick your workspace.`
export const openYourApps = t`Open your apps`
export const underOAuthPermissions = t`Under “OAuth & Permissions”`
export const onTheSamePage = t`On the same page, add these scopes.`
export const inviteItToChannels = t`Invite it to channels`
export const installTheAppIn = t`Install the app. In each channel that it may read and write, type /invite @ and its name.`
export const itIsUnderBasicInformation = t`It is under “Basic Information”, a number with a dot in it.`
export const restrictedAPIKey = t`Restricted API key`
export const createARestrictedKey = t`Create a restricted key`
export const switchToTestMode = t`Switch to test mode or to your sandbox, open Developers, “API keys”, and press “Create restricted key”.`
export const openDevelopersAPIKeys = t`Open Developers, “API keys”, and press “Create restricted key”.`
export const openAPIKeys = t`Open API keys`
export const readForPaymentIntentsAnd = t`Read for PaymentIntents and Customers; write for Customers only if it may add some.`
export const pasteTheKey = t`Paste the key`
export const aTestKeyBegins = t`A test key begins with rk_test_ or sk_test_. No money moves.`
export const stripeShowsALive = t`Stripe shows a live key once. It begins with rk_live_ or sk_live_.`
export const publicAppWithOAuth = t`Public app with OAuth`
export const inADeveloperAccount = (assistantName: string) =>
  t`In a developer account, create an app with OAuth and call it ${assistantName}.`
export const openYourDeveloperAccount = t`Open your developer account`
export const onTheAuthTab = t`On the “Auth” tab`
export const onTheSameTab = t`On the same tab, choose exactly these scopes.`
export const itIsOnThe = t`It is on the “Auth” tab, next to the client secret.`
export const inTheDeveloperSettings = (name: string, appType: string, assistantName: string) =>
  t`In the developer settings of ${name}, register an app (${appType}) and call it ${assistantName}.`
export const openTheSettings = t`Open the settings`
export const addThisRedirectURLTo = t`Add this redirect URL to the app, exactly as shown here.`
export const addTheseScopesAnd = t`Add these scopes, and no more than you want to share.`
export const chooseWhatTheApp = t`Choose what the app may read and write, and save.`
export const showsItWithThe = (name: string) => t`${name} shows it with the app you made.`
export const getYourKey = t`Get your key`
export const inTheSettingsOf = (name: string) =>
  t`In the settings of ${name}, create an API key or a token with only the permissions you want to share.`
export const pasteItHere = t`Paste it here`
export const itIsStoredEncrypted = (name: string) =>
  t`It is stored encrypted and used only for your requests to ${name}.`

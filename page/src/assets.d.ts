// Style sheets are brought in by Vite.
declare module "*.css" {}

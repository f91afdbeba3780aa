// Style sheets are imported by Vite.
declare module "*.css" {}

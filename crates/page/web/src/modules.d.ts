declare module "*.css";
declare module "*?inline" {
  const source: string;
  export default source;
}

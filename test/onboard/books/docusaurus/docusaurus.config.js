const config = {
  title: "Boats on a site",
  url: "https://boats.example",
};
export default config;
